// options: --cover
// expect: UNREACHABLE b0 (big:
module assumed(input [3:0] a);
  always @* assume (a < 8);
  big: cover property (a == 9);
endmodule
