// An assumption of a constant binds its own step.
// expect: SAFE b0 (x:
module top(input clk, input a);
  reg b = 0;
  always @(posedge clk) begin b <= a; if (a) assume (0); end
  x: assert property (!a || b);
endmodule
