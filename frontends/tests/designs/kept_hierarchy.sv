// Assertions of a module that stays as it is count, too.
// expect: UNSAFE b (below.sum:
// expect: SAFE b (above:
module top(input clk, input [3:0] a);
  reg [3:0] x = 0;
  always @(posedge clk) x <= a;
  checker_of below(.x(x));
  above: assert property (x < 16);
endmodule
(* keep_hierarchy *)
module checker_of(input [3:0] x);
  sum: assert property (x != 11);
endmodule
