// A round of two: each is served if it asks without end.
// expect: SAFE b0 (exclusive:
// expect: SAFE j0 (first:
// expect: UNSAFE j1 (second:
module arbiter(input clk, input [1:0] ask);
  reg turn = 0;
  always @(posedge clk) turn <= !turn;
  wire [1:0] grant = {ask[1] & turn, ask[0] & !turn};
  assume property (s_eventually ask[0] && !turn);
  exclusive: assert property (grant != 3);
  first: assert property (s_eventually grant[0]);
  second: assert property (s_eventually grant[1]);
endmodule
