// Properties that yosys does not read are refused.
// options: --frontend yosys
// refused: yosys
module top(input clk, input rst, input d);
  reg q = 0;
  always @(posedge clk) q <= d;
  a: assert property (@(posedge clk) disable iff (rst) d |=> q);
endmodule
