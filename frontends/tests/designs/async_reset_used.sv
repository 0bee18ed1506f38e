// A reset between two edges takes effect at once.
// expect: UNSAFE b0 (glitch:
module top(input clk, input rst, input d);
  reg q = 0, p = 0;
  always @(posedge clk or posedge rst) if (rst) q <= 0; else q <= d;
  always @(posedge clk) p <= 1;
  // Between two edges, the reset takes effect.
  reg last = 0; always @(posedge clk) last <= d;
  glitch: assert property (q == last);
endmodule
