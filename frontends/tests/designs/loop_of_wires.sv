// A loop without a register is refused.
// refused: loop
module top(input a, output y); wire z; assign y = a & z; assign z = y | a; x: assert property (y == a); endmodule
