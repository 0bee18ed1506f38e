// Without the reset, the register starts anywhere.
// options: --reset rst_n --reset-active low
// expect: SAFE b0 (bounded:
// expect: UNSAFE b1 (zero:
module top(input clk, input rst_n);
  reg [3:0] count;
  always @(posedge clk) if (!rst_n) count <= 0; else if (count < 9) count <= count + 1;
  bounded: assert property (count <= 9);
  always @(posedge clk) zero: assert (count != 9);
endmodule
