// options: --top main_part
// expect: SAFE b0
module main_part(input clk);
  sub s(.clk(clk));
endmodule
module sub(input clk);
  reg x = 0;
  always @(posedge clk) x <= x;
  assert property (!x);
endmodule
module other(input a);
  assert property (a);
endmodule
