// `x` is any value.
// expect: UNSAFE b0 (zero:
// expect: UNSAFE b1 (one:
module top(input s);
  wire y = s ? 1'b0 : 1'bx;
  wire z = s ? 1'b1 : 1'bx;
  zero: assert property (!y);
  one: assert property (z);
endmodule
