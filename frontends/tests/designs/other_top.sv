// Statements that are not below the named module are told.
// options: --top top
// note: not decided, as they are not below "top": the statements of other
// expect: SAFE b0 (even:
module other(input a);
  never: assert property (!a);
endmodule
module top(input clk);
  reg [2:0] n = 0;
  always @(posedge clk) n <= n + 2;
  even: assert property (!n[0]);
endmodule
