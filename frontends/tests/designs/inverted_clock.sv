// A clock that is inverted on its way to a submodule.
// expect: UNSAFE b0 (lag:
module part(input ck, input d, output reg q); initial q = 0; always @(posedge ck) q <= d; endmodule
module top(input clk, input d); wire q; part p(.ck(~clk), .d(d), .q(q)); reg r = 0; always @(posedge clk) r <= d;
  lag: assert property (q == r); endmodule
