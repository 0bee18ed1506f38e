// Shifts and part selects with indices outside.
// expect: SAFE b0 (zero:
// expect: SAFE b1 (part:
module top(input [7:0] a, input [4:0] n);
  wire [7:0] l = a << n; wire [3:0] p = a[n[2:0]+:4];
  zero: assert property (n < 8 || l == 0);
  part: assert property (n[2:0] > 4 || p == ((a >> n[2:0]) & 15));
endmodule
