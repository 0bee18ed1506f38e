// A clock that is read as a signal has both values.
// expect: UNSAFE b0 (low:
// expect: UNSAFE b1 (high:
module top(input clk); reg q = 0; always @(posedge clk) q <= !q;
  low: assert property (!clk); high: assert property (clk); endmodule
