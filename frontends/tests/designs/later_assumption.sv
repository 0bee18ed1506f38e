// No run goes on after the step of the error, which is one all the same.
// expect: UNSAFE b0 (sampled:
// expect: UNSAFE b1 (first:
module top(input clk);
  reg past = 0;
  always @(posedge clk) begin
    past <= 1;
    sampled: assert (past);
  end
  always @* if (past) assume (0);
  first: assert property (past);
endmodule
