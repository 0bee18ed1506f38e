// expect: SAFE j0 (done:
module fair(input clk, input go);
  reg [1:0] state = 0;
  always @(posedge clk) if (go) state <= state + 1;
  assume property (s_eventually go);
  done: assert property (s_eventually state == 3);
endmodule
