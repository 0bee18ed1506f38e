// A wire that is not driven has any value.
// expect: UNSAFE b0 (zero:
// expect: UNSAFE b1 (one:
// note: no driver
module top(input a); wire w; zero: assert property (!w); one: assert property (w); endmodule
