// options: --reset rst_n --reset-active low --reset-cycles 2 --clock clk
// expect: SAFE b0 (legal:
// expect: UNSAFE b1 (four:
module top(input clk, input rst_n, input up);
  reg [2:0] n; reg [1:0] sync;
  always @(posedge clk or negedge rst_n) if (!rst_n) begin sync <= 0; n <= 0; end
    else begin sync <= {sync[0], 1'b1}; if (sync[1] && up && n != 4) n <= n + 1; end
  legal: assert property (n <= 4); four: assert property (n != 4);
endmodule
