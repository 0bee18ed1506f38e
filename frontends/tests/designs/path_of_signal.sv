// A signal of an instance is no new wire of one bit.
// options: --frontend yosys
// refused: path_of_signal.sv:6: `yosys` takes "p.n" for a new wire of one bit
module part(input clk); reg [1:0] n = 0; always @(posedge clk) n <= n + 1; endmodule
module top(input clk); part p(clk);
  three: assert property (p.n != 3); endmodule
