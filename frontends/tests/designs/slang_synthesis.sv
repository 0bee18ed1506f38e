// Assertions that are not for synthesis count, too.
// options: --frontend slang --param W=3 -D LAST=5 --top top
// expect: UNSAFE b0 (a:
// expect: SAFE b1 (b:
module top #(parameter W = 2)(input logic clk); logic [W-1:0] n = 0; always_ff @(posedge clk) n <= n + 1;
`ifndef SYNTHESIS
  a: assert property (@(posedge clk) n != `LAST);
`endif
`ifdef FORMAL
  b: assert property (@(posedge clk) n < (1 << W));
`endif
endmodule
