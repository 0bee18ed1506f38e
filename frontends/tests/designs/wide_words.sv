// Words beyond 128 bits.
// expect: SAFE b0 (top:
// expect: UNSAFE b1 (all:
module top(input clk, input d); reg [199:0] s = 1; always @(posedge clk) s <= {s[198:0], s[199]};
  top: assert property (s != 0); all: assert property (!s[9]); endmodule
