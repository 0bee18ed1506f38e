// Arrays of instances with different assertions below; one copy fails.
// expect: SAFE b (
// expect: UNSAFE b (
// expect: SAFE b (
module cell_m #(parameter W = 2)(input clk, input en, output reg [W-1:0] q); initial q = 0;
  always @(posedge clk) if (en && q != 2) q <= q + 1;
  lim: assert property (q != 2 || !en); endmodule
module top(input clk, input [2:0] en); wire [5:0] q;
  reg go = 0; always @(posedge clk) go <= en[1];
  cell_m #(2) u [2:0] (.clk(clk), .en({1'b0, go, 1'b0}), .q(q));
endmodule
