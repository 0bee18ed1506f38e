// Some bits are `x`, the others have their values.
// expect: UNSAFE b0 (zero:
// expect: UNSAFE b1 (ones:
// expect: SAFE b2 (low:
module top(input s);
  wire [3:0] y = s ? 4'b0 : 4'bxx00;
  zero: assert property (y == 0);
  wire [3:0] z = s ? 4'hf : 4'bxx11;
  ones: assert property (z == 15);
  low: assert property (y[1:0] == 0);
endmodule
