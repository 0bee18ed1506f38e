// expect: UNSAFE j0 (done:
module unfair(input clk, input go);
  reg [1:0] state = 0;
  always @(posedge clk) if (go) state <= state + 1;
  done: assert property (s_eventually state == 3);
endmodule
