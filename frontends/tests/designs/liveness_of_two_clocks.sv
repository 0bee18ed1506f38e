// refused: what happens at last needs a step to be an edge of one clock, and there are several clocks
module top(input fast, input slow);
  reg a = 0, b = 0;
  always @(posedge fast) a <= !a;
  always @(posedge slow) b <= !b;
  assert property (s_eventually a && b);
endmodule
