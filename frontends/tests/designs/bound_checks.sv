// `bind` is not carried out by yosys, and would take its assertions with it in silence.
// options: --frontend yosys --top top
// refused: bound_checks.sv: `
module part(input clk, input d); reg q = 0; always @(posedge clk) q <= d; endmodule
module checks(input clk, input q); low: assert property (!q); endmodule
bind part checks c(.clk(clk), .q(q));
module top(input clk, input d); part u(.clk(clk), .d(d)); endmodule
