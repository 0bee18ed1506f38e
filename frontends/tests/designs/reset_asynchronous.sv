// options: --clock clk --reset rst_n --reset-active low
// expect: SAFE b0 (bounded:
// expect: SAFE j0 (wraps:
module top(input clk, input rst_n);
  reg [2:0] count;
  always @(posedge clk or negedge rst_n) if (!rst_n) count <= 0; else count <= count == 5 ? 0 : count + 1;
  bounded: assert property (count <= 5);
  wraps: assert property (s_eventually count == 5);
endmodule
