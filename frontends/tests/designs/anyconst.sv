// Values that are chosen once, in each step, and at the beginning.
// expect: SAFE b0 (kept:
// expect: UNSAFE b1 (five:
module top(input clk);
  (* anyconst *) reg [3:0] c; (* anyseq *) reg [3:0] s;
  rand const reg [3:0] k;
  reg [3:0] q; reg ok = 0;
  always @(posedge clk) begin q <= c; ok <= 1; end
  kept: assert property (!ok || q == c);
  five: assert property (s != 5 || k != 3 || q != 2);
endmodule
