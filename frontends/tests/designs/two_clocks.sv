// expect: UNSAFE b0 (together:
// expect: SAFE b1 (own:
module top(input fast, input slow);
  reg [1:0] a = 0, b = 0;
  always @(posedge fast) a <= a + 1;
  always @(posedge slow) b <= b == 2 ? 0 : b + 1;
  together: assert property (a < 3 || b != 0);
  own: assert property (b != 3);
endmodule
