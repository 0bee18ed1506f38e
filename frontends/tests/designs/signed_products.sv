// Signed shifts, products, comparisons with mixed widths.
// expect: SAFE b0 (shift:
// expect: SAFE b1 (mul:
// expect: UNSAFE b2 (abs:
module top(input signed [7:0] a, input signed [3:0] b);
  wire signed [11:0] p = a * b; wire signed [7:0] s = a >>> 2; wire signed [7:0] n = a < 0 ? -a : a;
  shift: assert property (s == (a - $signed({6'b0, a[1:0]})) / 4);
  mul: assert property (p == a * b && ((a < 0) == (b < 0) || a == 0 || b == 0 || p < 0));
  abs: assert property (n >= 0);
endmodule
