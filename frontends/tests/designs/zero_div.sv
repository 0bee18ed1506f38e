// A division by the constant zero has any value.
// expect: UNSAFE b0 (x:
module top(input [3:0] a); x: assert property (a / 4'd0 == 4'hf); endmodule
