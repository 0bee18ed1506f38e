// expect: UNSAFE b0 (bounded:
module top(input clk, input rst_n);
  reg [3:0] count;
  always @(posedge clk) if (!rst_n) count <= 0; else if (count < 9) count <= count + 1;
  bounded: assert property (count <= 9);
endmodule
