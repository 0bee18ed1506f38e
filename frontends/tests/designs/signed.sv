// Signs in quotients and shifts.
// expect: SAFE b0 (quotient:
// expect: SAFE b1 (shift:
// expect: SAFE b2 (abs:
module top(input signed [3:0] a, input signed [3:0] b);
  quotient: assert property (b == 0 || (a / b) * b + a % b == a);
  shift: assert property ((a >>> 1) == (a < 0 ? (a - 1) / 2 : a / 2) || a[0] == 0 || a == -8);
  abs: assert property ((a < 0 ? -a : a) >= 0);
endmodule
