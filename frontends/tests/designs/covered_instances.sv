// Several goals, one below a generated instance.
// options: --cover
// expect: REACHED b (u[0].
// expect: UNREACHABLE b (u[1].
// expect: REACHED b (both:
module part #(parameter K=0)(input clk, input en, output reg [2:0] n); initial n = 0;
  always @(posedge clk) if (en) n <= n + 1 + K; seen: cover property (n == 3); endmodule
module top(input clk, input [1:0] en); wire [5:0] n; genvar i;
  for (i = 0; i < 2; i = i + 1) begin : u part #(.K(i)) p(clk, en[i], n[3*i+:3]); end
  both: cover property (n[2:0] == 7 && n[5:3] == 6);
endmodule
