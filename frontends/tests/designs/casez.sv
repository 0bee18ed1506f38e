// Patterns with positions that do not matter.
// expect: SAFE b0 (first:
// expect: UNSAFE b1 (none:
module top(input [3:0] r); reg [2:0] g;
  always @* casez (r) 4'b???1: g = 0; 4'b??1?: g = 1; 4'b?1??: g = 2; 4'b1???: g = 3; default: g = 4; endcase
  first: assert property (g == 4 || r[g[1:0]]); none: assert property (g != 4); endmodule
