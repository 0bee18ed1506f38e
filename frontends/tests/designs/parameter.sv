// options: --top top --param W=5 -D LIMIT=30
// expect: UNSAFE b0 (below:
// expect: SAFE b1 (even:
module top #(parameter W = 4)(input clk);
  reg [W-1:0] x = 0;
  always @(posedge clk) x <= x + 2;
  below: assert property (x < `LIMIT);
  even: assert property (!x[0]);
endmodule
