// Bits that are not driven have any value, the others theirs.
// note: `z` is read as any value
// expect: UNSAFE b0 (one:
// expect: UNSAFE b1 (five:
// expect: SAFE b2 (low:
module top(input en);
  wire [2:0] w = en ? 3'b0 : 3'bz01;
  one: assert property (en || w == 3'b001);
  five: assert property (en || w == 3'b101);
  low: assert property (w[1] == 0);
endmodule
