// options: --reset rst_n
// refused: `--reset-active` low or high is needed
module top(input clk, input rst_n);
  reg x;
  always @(posedge clk) if (!rst_n) x <= 0;
  assert property (!x);
endmodule
