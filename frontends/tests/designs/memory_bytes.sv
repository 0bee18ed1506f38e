// Byte enables, two assignments to one word in one step: the later wins.
// expect: SAFE b0 (hi:
// expect: UNSAFE b1 (lo:
// expect: SAFE b2 (later:
module top(input clk, input [1:0] be, input [15:0] d, input [1:0] a);
  reg [15:0] m [0:3]; reg [1:0] at = 0; reg v = 0, vh = 0; reg [15:0] s = 0;
  integer i; initial for (i = 0; i < 4; i = i + 1) m[i] = 0;
  always @(posedge clk) begin
    if (be[0]) m[a][7:0] <= d[7:0];
    if (be[1]) m[a][15:8] <= d[15:8];
    if (d == 16'hBEEF) m[a] <= 16'h1234;
    at <= a; v <= d == 16'hBEEF; vh <= be[1] && d != 16'hBEEF; s <= d;
  end
  hi: assert property (!vh || m[at][15:8] == s[15:8]);
  lo: assert property (m[2][7:0] != 8'h77);
  later: assert property (!v || m[at] == 16'h1234);
endmodule
