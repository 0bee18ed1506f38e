// Without a named clock, the reset counts at any time.
// expect: SAFE b0 (cleared:
// expect: UNSAFE b1 (held:
module top(input clk, input rst, input d);
  reg q = 0;
  reg [1:0] age = 0;
  always @(posedge clk or posedge rst) if (rst) q <= 0; else q <= 1;
  always @(posedge clk) if (age < 2) age <= age + 1;
  cleared: assert property (age <= 2);
  held: assert property (age < 2 || q);
endmodule
