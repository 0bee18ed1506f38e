// What a latch holds is older than its input.
// expect: SAFE b0 (follows:
// expect: UNSAFE b1 (holds:
module top(input en, input d);
  reg q;
  always_latch if (en) q = d;
  follows: assert property (!en || q == d);
  holds: assert property (q == d);
endmodule
