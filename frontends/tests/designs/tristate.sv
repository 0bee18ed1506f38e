// A value that is not driven is any value.
// expect: UNSAFE b0 (never:
module top(input en, input a);
  wire bus = en ? a : 1'bz;
  never: assert property (bus == a);
endmodule
