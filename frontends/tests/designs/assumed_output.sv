// An assumption about an output excludes runs.
// expect: SAFE b0 (never:
// expect: UNSAFE b1 (six:
module top(input clk, input [2:0] step, output reg [3:0] y); initial y = 0;
  always @(posedge clk) y <= y + step;
  always @* assume (y != 7 && y < 12);
  never: assert property (y != 12); six: assert property (y != 6);
endmodule
