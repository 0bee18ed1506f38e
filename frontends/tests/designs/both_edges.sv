// Registers at both edges of one clock.
// expect: SAFE b0 (order:
// expect: UNSAFE b1 (equal:
module top(input clk);
  reg a = 0, b = 0;
  always @(posedge clk) a <= !a;
  always @(negedge clk) b <= a;
  reg seen = 0;
  always @(posedge clk) begin order: assert (b == a); end
  equal: assert property (a == b);
endmodule
