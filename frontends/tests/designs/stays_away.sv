// What held once is not enough: it has to come again, whenever it was left.
// expect: UNSAFE j0 (again:
module once(input clk);
  reg [2:0] state = 0;
  always @(posedge clk) if (state != 7) state <= state + 1;
  again: assert property (s_eventually state == 3);
endmodule
