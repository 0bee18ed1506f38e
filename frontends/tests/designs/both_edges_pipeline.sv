// Data that goes over from the rising to the falling edge.
// expect: SAFE b0 (same:
// expect: UNSAFE b1 (now:
module top(input clk, input d);
  reg a = 0, b = 0, c = 0; always @(posedge clk) a <= d; always @(negedge clk) b <= a; always @(posedge clk) c <= b;
  reg e = 0; always @(posedge clk) e <= a;
  same: assert property (clk || b == a); now: assert property (b == c);
endmodule
