// A word that depends on itself, of which no bit does.
// expect: SAFE b0 (sum:
// expect: UNSAFE b1 (last:
module top(input [4:0] d); wire [4:0] r; assign r = {r[3:0], 1'b0} ^ d;
  sum: assert property (r[2] == ^d[2:0]); last: assert property (!r[4]); endmodule
