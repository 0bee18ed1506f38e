// expect: SAFE b0 (even:
// expect: UNSAFE b1 (small:
module concurrent(input clk);
  reg [7:0] x = 0;
  always @(posedge clk) x <= x + 2;
  even: assert property (!x[0]);
  small: assert property (x < 200);
endmodule
