// A memory with a clock for writes and another for reads.
// expect: UNSAFE b0 (never:
// expect: SAFE b1 (zero:
module top(input wclk, input rclk, input we, input [1:0] wa, input [1:0] ra, input [3:0] d);
  reg [3:0] m [0:3]; integer i; initial for (i = 0; i < 4; i = i + 1) m[i] = 0;
  reg [3:0] q = 0;
  always @(posedge wclk) if (we && d < 9) m[wa] <= d;
  always @(posedge rclk) q <= m[ra];
  never: assert property (q != 8);
  zero: assert property (q != 9);
endmodule
