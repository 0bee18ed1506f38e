// Division by zero and of the least value.
// expect: SAFE b0 (id:
// expect: UNSAFE b1 (rng:
module top(input signed [4:0] a, b);
  id: assert property (b == 0 || (a / b) * b + a % b == a);
  rng: assert property (b == 0 || a / b <= 15 && (a / b != -16 || a == -16 && b == 1));
endmodule
