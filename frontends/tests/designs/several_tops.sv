// refused: "other" has assertions and is not below the top module
module main_part(input clk);
  sub s(.clk(clk));
endmodule
module sub(input clk);
  reg x = 0;
  assert property (!x);
endmodule
module other(input a);
  assert property (a);
endmodule
