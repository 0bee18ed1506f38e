// An assumption that is sampled at the clock binds the step of an assertion that is not.
// expect: SAFE b0
module top(input clk, input a);
  reg b = 0;
  always @(posedge clk) begin
    b <= a;
    assume (!a);
  end
  assert property (!a || b);
endmodule
