// A restriction is an assumption.
// expect: SAFE b0 (small:
module top(input clk, input [3:0] d);
  reg [3:0] q = 0;
  always @(posedge clk) q <= d;
  restrict property (d < 4);
  small: assert property (q < 4);
endmodule
