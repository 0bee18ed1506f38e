// Delays are none in a circuit.
// expect: UNSAFE b0 (a:
module top(input clk, input d);
  reg q = 0;
  always @(posedge clk) q <= #1 d;
  a: assert property (!q);
endmodule
