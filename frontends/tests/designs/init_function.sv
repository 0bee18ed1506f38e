// A table that a loop computes.
// expect: SAFE b0 (
module top(input clk, input [2:0] at); reg [5:0] t [0:7]; integer i; initial for (i = 0; i < 8; i = i + 1) t[i] = i * i;
 reg [5:0] q = 0; reg [2:0] p = 0; always @(posedge clk) begin q <= t[at]; p <= at; end assert property (q == p * p); endmodule
