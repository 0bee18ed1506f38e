// expect: SAFE b0
// expect: UNSAFE b1 (reached:
module counter(input clk, input go, output reg [3:0] count);
  initial count = 0;
  always @(posedge clk) if (go && count < 9) count <= count + 1;
  always @* assert (count <= 9);
  always @(posedge clk) reached: assert (count != 9);
endmodule
