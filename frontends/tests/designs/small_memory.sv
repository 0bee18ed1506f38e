// A memory whose addresses are more than its words.
// expect: SAFE b0 (kept:
// expect: UNSAFE b1 (read:
module top(input clk, input [1:0] a, input [3:0] x, input [1:0] at);
  reg [3:0] m [0:2];
  initial begin m[0] = 0; m[1] = 0; m[2] = 0; end
  always @(posedge clk) if (a == 3) m[a] <= x;
  kept: assert property (m[0] == 0 && m[1] == 0 && m[2] == 0);
  wire [3:0] r = m[at];
  read: assert property (r == 0);
endmodule
