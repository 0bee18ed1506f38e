// Concurrent assertions, of which slang reads more.
// options: --frontend slang
// expect: UNSAFE b0 (p.c.first:
// expect: SAFE b1 (slang_concurrent.sv:15
// expect: UNSAFE b2 (loud:
module part(input logic clk, output logic [1:0] n); initial n = 0; always_ff @(posedge clk) n <= n + 1; endmodule
module checks(input logic clk, input logic [1:0] n);
  first: assert property (@(posedge clk) n != 2) else $error("it is 2");
endmodule
module top(input logic clk, input logic rst, input logic d);
  logic q, q2;
  always_ff @(posedge clk) if (rst) {q, q2} <= 0; else {q, q2} <= {d, d};
  logic started = 0; always_ff @(posedge clk) started <= started || rst;
  part p(.clk, .n());
  always_ff @(posedge clk) quiet: assert #0 (!started || q == q2) else $error("differ");
  loud: assert property (@(posedge clk) disable iff (rst || !started) p.n == 3 || !q);
endmodule
bind part checks c(.*);
