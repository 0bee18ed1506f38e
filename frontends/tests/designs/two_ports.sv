// The last of two writes to one word counts.
// expect: SAFE b0 (second:
// expect: UNSAFE b1 (first:
module top(input clk, input [1:0] a, input [1:0] b, input [3:0] x, input [3:0] y);
  reg [3:0] m [0:3];
  reg [3:0] px, py; reg same = 0; reg [1:0] at; reg ok = 0;
  always @(posedge clk) begin
    m[a] <= x; m[b] <= y;
    px <= x; py <= y; same <= a == b; at <= b; ok <= 1;
  end
  wire [3:0] r = m[at];
  second: assert property (!ok || r == py);
  first: assert property (!ok || !same || r == px);
endmodule
